. "$CLI/make_scene.sh"
rm -r pred/hall/b
run
