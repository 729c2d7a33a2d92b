"$DENSEVAL" bank build --features a.h5 --out bank.h5 --memory-size 320q
