# Asked for, so that their lack is told before any work.
mkdir empty
PATH=$PWD/empty "$DENSEVAL" jf --truth truth --pred pred --plots --out out
