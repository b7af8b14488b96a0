# doxygen.awk - a header of src/api/ as doxygen wants it: comments above declarations and beside members become its own kind, the
# manual at the top is kept as it is written, and a comment that is about several declarations stands before each, without the
# list of parameters (a name and, two spaces or more after it, what it is), which is the first one's.
function plain(text) { # nothing in it is a command of doxygen
    gsub(/@/, "\\@", text)
    return text
}
FNR == 1 { manual = 1; comment = held = declared = ""; fresh = params = 0 }
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
    if ($0 ~ /^       [a-z_0-9]+  +[^ ]/ && (params || before == "")) { # the parameters, after an empty line
        params = 1
        sub(/^ +/, "@param ")
    } else if (!params) {
        comment = comment "\n" $0
    }
    before = $0
    inside = $0 !~ /\*\//
    fresh = 1
    if (params && !inside) { # of err there is one thing to say, which the declaration decides
        held = $0
        if (comment !~ /\*\/$/) comment = comment " */"
        next
    }
    print
    next
}
held != "" {
    declared = declared "\n" $0
    if (!/;/ && !/^#/) next
    if (declared ~ /taco_error \*err\)/) sub(/ *\*\//, "\n@param err gets the failure; may be NULL */", held)
    print held declared
    held = declared = ""
    fresh = params = 0
    next
}
/^ *\/\*/ {
    sub(/\/\*/, "/**")
    $0 = plain($0)
    comment = before = $0
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
