# Refused, or resized by nearest sampling.
. "$CLI/iou/maps.sh"
"$PYTHON" "$CLI/make_masks.py" pred 2x4 2 2:0,2,1,2@0-0 --store gray
iou
echo $?
iou --resize nearest --json | $JSON miou confusion
iou --skip-bad --allow-empty --json --quiet | $JSON images miou left_out_images partial
