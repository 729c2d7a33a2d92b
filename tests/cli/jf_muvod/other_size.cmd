. "$CLI/make_scene.sh"
rm -r truth/hall/b pred/hall/b
"$PYTHON" "$CLI/make_masks.py" truth/hall/b 12x17 3 2:1,1,4,4
"$PYTHON" "$CLI/make_masks.py" pred/hall/b 12x17 3 2:1,1,4,4
run
