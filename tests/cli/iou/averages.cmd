# SEG-08: image A has 100 pixels of class 1, of which 50 are found; B 4, all found. Background is ignored.
make() { "$PYTHON" "$CLI/make_masks.py" "$@" --store gray; }
iou() { "$DENSEVAL" iou --truth truth --pred pred "$@"; }
make truth 10x20 2 1:0,0,10,10@0-0 1:0,0,2,2@1-1
make pred 10x20 2 1:0,0,5,10@0-0 1:0,0,2,2@1-1
iou --classes 2 --exclude-classes 0 --json | $JSON miou mean_of_images_miou
# SEG-02: the classes are the declared ones, not those that are there.
make truth 1x3 2 5:0,1,1,1 103:0,2,1,1
make pred 1x3 2
iou --protocol foodseg103 --json >out.json
$JSON miou classes.5.iou classes.103.iou classes.7.iou settings.classes <out.json
# SEG-06: the truth 0 1 7 and the prediction 0 1 1 of five classes.
make truth 1x3 1 1:0,1,1,1 7:0,2,1,1
make pred 1x3 1 1:0,1,1,2
rm truth/00001.png pred/00001.png
iou --classes 5
echo $?
for invalid in drop false-positive; do iou --classes 5 --invalid-labels $invalid --json | $JSON classes.1.iou; done
# SEG-12: a checkerboard of 0 and 200 as 3 x 3: of 4 rows and columns 0, 2 and 3.
checks=$(for row in 0 1 2 3; do for column in 0 1 2 3; do [ $(((row + column) % 2)) = 1 ] && echo "200:$row,$column,1,1"; done; done)
make pred 4x4 1 $checks
make truth 3x3 1 200:0,2,1,1 200:1,2,1,1 200:2,0,1,2
iou --classes 201 --resize nearest --json | $JSON miou scored_pixels classes.200.truth_pixels
