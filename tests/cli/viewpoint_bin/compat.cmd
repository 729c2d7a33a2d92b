"$PYTHON" "$CLI/make_colmap.py" captures 1/a 1/b 2/c
"$PYTHON" "$CLI/make_colmap.py" model in/1/a/sparse/0 0 14 31 44 62 75 91
"$DENSEVAL" viewpoint bin --colmap in --layout mvimgnet --compat hummingbird --json | $JSON settings.compat settings.bin_tolerance objects.0.accepted objects.1.accepted \
    classes.0.objects classes.0.images_per_bin objects.0.bins.6.error_deg
