# Two images of 4 x 8 and three classes. a: truth 16 x 0, 8 x 1, 8 x 2; 4 of class 1 taken for 2. b: truth 24 x 0, 8 ignored; right.
make() { # FOLDER IMAGES BOX...
    folder=$1 n=$2
    shift 2
    "$PYTHON" "$CLI/make_masks.py" "$folder" 4x8 "$n" "$@" --store gray
}
make truth 2 1:0,0,2,4@0-0 2:0,4,2,4@0-0 255:0,0,1,8@1-1
make pred 2 1:0,0,1,4@0-0 2:1,0,1,4@0-0 2:0,4,2,4@0-0
iou() { "$DENSEVAL" iou --truth truth --pred pred --classes 3 "$@"; }
