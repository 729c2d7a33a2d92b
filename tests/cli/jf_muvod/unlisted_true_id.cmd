. "$CLI/make_scene.sh"
"$PYTHON" "$CLI/make_masks.py" truth/hall/b 12x16 3 2:1,1,4,4 7:0,8,2,2@1-2
run --out out
status=$?
ls
exit $status
