# All that is missing is listed, of every method, and nothing is written.
. "$CLI/objects/targets.sh"
cp -r pred other
rm truth/car/00002.png pred/sign/00001.png pred/sign/00000.png
rm -r other/gone
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred,other --out out
status=$?
test -e out && echo out is there
exit $status
