"$DENSEVAL" bank build --out bank.h5
