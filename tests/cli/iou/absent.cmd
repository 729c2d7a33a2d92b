# A fourth class is in no map, and a fifth is left out of the means.
. "$CLI/iou/maps.sh"
for absent in skip zero one truth-only; do
    "$DENSEVAL" iou --truth truth --pred pred --classes 4 --absent $absent --exclude-classes 0 --json | $JSON miou classes.3.iou
done
