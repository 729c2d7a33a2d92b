# 20 x 20, d 1: a square of 8 x 8, and the same one column to the right; then all of an image without a square.
make() { "$PYTHON" "$CLI/make_masks.py" "$1" 20x20 2 "$2" --store gray; }
make truth 1:4,4,8,8@0-0
make pred 1:4,5,8,8@0-0
iou() { "$DENSEVAL" iou --truth truth --pred pred --classes 3 "$@"; }
iou --boundary
iou --boundary --exclude-classes 0 --per-image images.csv --json | $JSON boundary settings.boundary_ratio
cut -d, -f1,6,8 images.csv
for absent in zero one truth-only; do iou --boundary --absent $absent --boundary-ratio 1 --json | $JSON miou boundary.miou boundary.iou; done
iou --json | $JSON settings.boundary_ratio
iou --boundary-ratio 0.1
iou --boundary --boundary-ratio 0
iou --boundary --boundary-ratio 1.5
