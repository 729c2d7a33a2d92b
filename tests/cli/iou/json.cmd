. "$CLI/iou/maps.sh"
iou --json >out.json
$JSON schema command miou mean_accuracy pixel_accuracy images mean_of_images_miou ignored_pixels scored_pixels partial <out.json
$JSON classes.1 confusion settings inputs.0.path <out.json
