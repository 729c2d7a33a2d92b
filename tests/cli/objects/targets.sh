# Four targets of two scenes, prompted in 00000 and scored in 00001 and 00002; masks of 4 x 8 pixels. By view, pixels of both over pixels of
# either: car 16/16, 16/32; sign 2/4, hidden and not predicted; chair 0/16, 8/8; gone hidden and predicted, hidden and not predicted.
cat >targets.json <<'END'
{"schema": "objects3d-targets v1", "height": 4, "width": 8, "targets": {
 "car": {"scene": "street", "category": "dominant", "reference_view": "00000", "views": ["00000", "00001", "00002"]},
 "sign": {"scene": "street", "category": "small", "reference_view": "00000", "views": ["00000", "00001", "00002"]},
 "chair": {"scene": "room", "category": "dominant", "reference_view": "00000", "views": ["00000", "00001", "00002"]},
 "gone": {"scene": "room", "category": "occluded", "reference_view": "00000", "views": ["00000", "00001", "00002"]}}}
END
make() { # FOLDER BOX...
    folder=$1
    shift
    "$PYTHON" "$CLI/make_masks.py" "$folder" 4x8 3 "$@"
}
make truth/car 1:0,0,4,4
make truth/sign 1:0,0,2,2@0-1
make truth/chair 1:0,0,4,2
make truth/gone 1:0,0,4,2@0-0
make pred/car 1:0,0,4,4@1-1 1:0,0,4,8@2-2
make pred/sign 1:0,0,2,1@1-1
make pred/chair 1:0,4,4,2@1-1 1:0,0,4,2@2-2
make pred/gone 1:3,7,1,1@1-1
