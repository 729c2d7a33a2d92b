. "$CLI/objects/targets.sh"
mkdir empty
PATH=$PWD/empty "$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out --quiet >table
ls out
PATH=$PWD/empty "$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out again >table
