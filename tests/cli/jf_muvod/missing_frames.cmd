. "$CLI/make_scene.sh"
rm truth/hall/b/00002.png pred/hall/a/00001.png
run
