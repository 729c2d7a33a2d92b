. "$CLI/make_scene.sh"
run
