# blocks.awk - takes the code out of a guide: -v dir=DIR -v lang='sh|console|c'. Block N of the document becomes DIR/N.LANG, N being
# the line of its fence, and what the document shows as its output, a ```text block that follows it, DIR/N.out. A list of the
# blocks in their order is printed. A ```sh far block needs what tests have not (a network, large files): DIR/N.far, which is not run.
/^```/ && !inside {
    kind = substr($0, 4)
    inside = 1
    if (kind == "text" && last != "") {
        file = dir "/" last ".out"
        printf "" >file
    } else if (kind == "sh far") {
        file = dir "/" NR ".far"
        printf "" >file
    } else if (kind ~ "^(" lang ")$") {
        last = NR
        file = dir "/" NR "." kind
        printf "" >file
        print NR, kind
    } else {
        file = last = ""
    }
    next
}
/^```$/ { inside = 0; if (file != "") close(file); if (file ~ /\.out$/) last = ""; file = ""; next }
inside { if (file != "") print >file; next }
# text between a block and what looks like its output
NF { last = "" }
