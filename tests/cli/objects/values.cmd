# Whatever is not 0 is object; masks of several values are counted.
. "$CLI/objects/targets.sh"
make pred/car 255:0,0,4,4@1-1 255:0,0,4,6@2-2 3:0,6,4,2@2-2
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --json | $JSON targets.0.iou mixed_masks
