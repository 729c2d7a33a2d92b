"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images pictures --pred pred --out out --truth truth --mode difference --sheet --columns 1 --json |
    $JSON schema command pictures skipped sheet settings.mode settings.ignore_pixels settings.exif inputs
ls out
