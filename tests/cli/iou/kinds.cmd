# Label maps of any depth, gray or by palette index; colours are no labels, and a cut file is bad.
. "$CLI/iou/maps.sh"
for store in gray16 indexed8 indexed2; do
    "$PYTHON" "$CLI/make_masks.py" pred 4x8 2 1:0,0,1,4@0-0 2:1,0,1,4@0-0 2:0,4,2,4@0-0 --store $store
    iou --json | $JSON confusion
done
"$PYTHON" "$CLI/make_masks.py" truth 4x8 2 1:0,0,2,4@0-0 2:0,4,2,4@0-0 1000:0,0,1,8@1-1 --store gray16
iou --ignore-pixels 1000 --json | $JSON confusion ignored_pixels
iou
echo $?
iou --invalid-labels drop --json | $JSON dropped_pixels
"$PYTHON" "$CLI/make_masks.py" pred 4x8 2 1:0,0,2,4 --store rgb
iou --ignore-pixels 1000
echo $?
head -c 60 truth/00000.png >pred/00000.png
echo text >pred/00001.png
iou --ignore-pixels 1000
echo $?
cp truth/00000.png pred/00000.png
iou --ignore-pixels 1000 --skip-bad --json | $JSON miou images left_out_images
