. "$CLI/iou/maps.sh"
rm pred/00001.png
make truth 3
cp pred/00000.png pred/other.png
iou
echo $?
iou --skip-bad --json | $JSON images left_out_images unused_predictions partial
