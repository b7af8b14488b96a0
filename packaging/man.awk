# man.awk - manual pages of `taco --dump-options`: taco.1, and taco-COMMAND.1 for each command.
#   taco --dump-options | awk -v version=0.1.0 -v dir=OUT -f packaging/man.awk
# The fields of a line are those that tool/help.c lists.
BEGIN { FS = "\t" }

# Text as roff shows it unchanged; \n and \\ as the tool writes them.
function plain(s,    out, i, c, d) {
    out = ""
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        d = substr(s, i + 1, 1)
        if (c == "\\" && d == "n") { out = out "\n"; i++ }
        else if (c == "\\") { out = out "\\e"; i++ }
        else if (c == "-") out = out "\\-"
        else out = out c
    }
    gsub(/\n\n+/, "\n.PP\n", out)
    return guarded(out)
}
# A dot or an apostrophe at the start of a line would be a request.
function guarded(s,    n, line, i, out) {
    n = split(s, line, "\n")
    for (i = 1; i <= n; i++) {
        if (line[i] ~ /^['.]/ && line[i] != ".PP") line[i] = "\\&" line[i]
        out = out (i > 1 ? "\n" : "") line[i]
    }
    return out
}
# NAME VALUE, the name bold and the value in italics. A choice is as many words as it has.
function option_head(name, value) {
    return "\\fB" plain(name) "\\fR" (value == "-" ? "" : " \\fI" plain(value) "\\fR")
}
function option_text(kind, text) { return text (kind ~ /\+$/ ? " (repeatable)" : "") }
function capital(s) { return toupper(substr(s, 1, 1)) substr(s, 2) }

{ text = $NF }
$1 == "option" && $2 == "-" { everywhere = everywhere ".TP\n" option_head($4, $6) "\n" plain(option_text($5, text)) "\n"; next }
$1 == "command" { order[++n] = $2; summary[$2] = text; next }
$1 == "about" { about[$2] = plain(text) "\n" }
$1 == "notes" { notes[$2] = plain(text) "\n" }
$1 == "usage" { usage[$2] = usage[$2] (usage[$2] ? ".br\n" : "") "\\fBtaco " plain($2 ($3 == "-" ? "" : " " $3)) "\\fR " plain($4) "\n" }
$1 == "verb" { verbs[$2] = verbs[$2] ".TP\n\\fB" plain($3) "\\fR\n" plain(text) "\n" }
$1 == "heading" { options[$2] = options[$2] ".SS " plain(capital(text)) "\n" }
$1 == "option" {
    of = $3 == "-" ? "" : "[" $3 "] "
    gsub(/,/, ", ", of)
    options[$2] = options[$2] ".TP\n" option_head($4, $6) "\n" plain(of option_text($5, text)) "\n"
}
$1 == "topic" { topics = topics ".SH " toupper(plain($2)) "\n" plain(text) "\n" }
function head(page, what) {
    return ".\\\" Made by packaging/man.awk of the tool's own table of options.\n.TH " toupper(plain(page)) " 1 \"\" \"taco " version "\" \"taco\"\n.SH NAME\n" plain(page) " \\- " plain(what) "\n"
}
END {
    status = ".SH EXIT STATUS\n0: done. 1: the data is bad or the work failed; one line on standard error says what and where. 2: usage.\n"
    for (i = 1; i <= n; i++) {
        c = order[i]
        file = dir "/taco-" c ".1"
        printf "%s", head("taco-" c, summary[c]) ".SH SYNOPSIS\n" usage[c] >file
        if (about[c]) printf "%s", ".SH DESCRIPTION\n" about[c] >file
        if (verbs[c]) printf "%s", ".SH VERBS\n" verbs[c] >file
        if (options[c]) printf "%s", ".SH OPTIONS\n" options[c] >file
        printf "%s", ".SS Everywhere\n" everywhere >file
        if (notes[c]) printf "%s", ".SH NOTES\n" notes[c] >file
        printf "%s", status ".SH SEE ALSO\n.BR taco (1)\n" >file
        close(file)
        list = list ".TP\n.BR taco\\-" c " (1)\n" plain(summary[c]) "\n"
    }
    file = dir "/taco.1"
    printf "%s", head("taco", "reads, writes and checks TACO datasets and Parquet files") ".SH SYNOPSIS\n\\fBtaco\\fR \\fICOMMAND\\fR [\\fIarguments\\fR]\n.br\n\\fBtaco help\\fR [\\fICOMMAND\\fR|\\fITOPIC\\fR]\n.SH COMMANDS\n" list ".SH OPTIONS\n" everywhere topics status >file
    close(file)
}
