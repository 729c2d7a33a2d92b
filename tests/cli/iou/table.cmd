. "$CLI/iou/maps.sh"
iou
