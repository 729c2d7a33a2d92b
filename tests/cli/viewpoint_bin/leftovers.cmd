"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
rm masks/1/a/3.jpg.png
touch in/1/a/images/8.jpg masks/2/c/8.jpg.png
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --masks masks --json | $JSON objects.0.frames_without_mask objects.0.pictures_without_pose \
    objects.2.masks_without_frame classes.0.accepted classes.0.images classes.0.images_per_bin
