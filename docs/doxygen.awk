# doxygen.awk - a header of src/api/ as doxygen wants it: comments above declarations and beside members become its own kind, the
# manual at the top is kept as it is written, and a comment that is about several declarations stands before each.
function plain(text) { # nothing in it is a command of doxygen
    gsub(/@/, "\\@", text)
    return text
}
FNR == 1 { manual = 1; comment = ""; fresh = 0 }
manual { # the first comment of the file
    if (FNR == 1) { sub(/^\/\* /, ""); print "/** @file\n@verbatim" }
    manual = $0 !~ /\*\//
    sub(/ *\*\/.*$/, "")
    print
    if (!manual) print "@endverbatim */"
    next
}
/^\/\* -+/ { comment = ""; skipping = $0 !~ /\*\//; print; next } # a heading
skipping { skipping = $0 !~ /\*\//; print; next }
inside { # a comment above something
    $0 = plain($0)
    comment = comment "\n" $0
    print
    inside = $0 !~ /\*\//
    fresh = 1
    next
}
/^ *\/\*/ {
    sub(/\/\*/, "/**")
    $0 = plain($0)
    comment = $0
    print
    inside = $0 !~ /\*\//
    fresh = 1
    next
}
/^TACO_API / { if (!fresh && comment != "") print comment }
/^$/ { comment = "" }
/[^ ].*\/\*/ && !/^#(if|el|endif|undef)/ { # beside a member
    sub(/\/\*/, "/**<")
    beside = $0 !~ /\*\//
}
{ print; fresh = 0 }
/^}/ || /^#/ { comment = "" }
