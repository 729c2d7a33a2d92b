# The reference view may be there, and is not read.
. "$CLI/objects/targets.sh"
make pred/more 1:0,0,4,4
cp pred/car/00001.png pred/car/00007.png
echo no picture >pred/car/00000.png
rm truth/car/00000.png
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --json | $JSON targets.0.iou unused_targets unused_views
