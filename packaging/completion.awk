# completion.awk - completions of `taco --dump-options` for bash, zsh and fish.
#   taco --dump-options | awk -v dir=OUT -f packaging/completion.awk
# writes OUT/taco.bash, OUT/_taco and OUT/taco.fish. The fields of a line are those that tool/help.c lists. Words that are no
# options are files: datasets, tables, outputs.
BEGIN { FS = "\t" }

# Shell: inside of single quotes. zsh's _arguments also wants its own signs escaped.
function quoted(s) { gsub(/'/, "'\\''", s); return "'" s "'" }
function fish_quoted(s) { gsub(/\\/, "\\\\", s); gsub(/'/, "\\'", s); return "'" s "'" }
function zsh_text(s,    i, c, out) {
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        out = out (index("[]:\\", c) ? "\\" : "") c
    }
    return out
}
function short(s) { gsub(/\\n/, " ", s); gsub(/\\\\/, "\\", s); return length(s) > 70 ? substr(s, 1, 67) "..." : s }
function words(s) { gsub(/\|/, " ", s); return s }

$1 == "command" { order[++n] = $2; summary[$2] = short($3) }
$1 == "verb" { verbs[$2] = verbs[$2] " " $3; verb_text[$2, $3] = short($4) }
$1 == "topic" { topics = topics " " $2 }
$1 == "option" {
    kind = $5
    repeatable = sub(/\+$/, "", kind)
    c = $2
    k = ++count[c]
    name[c, k] = $4; kinds[c, k] = kind; again[c, k] = repeatable; value[c, k] = $6; text[c, k] = short($7)
}

# ---- bash ----
function bash_options(c,    k, out) {
    for (k = 1; k <= count[c]; k++) out = out " " name[c, k]
    return out
}
# What follows an option of command c (- for all): lines of a case.
function bash_values(c, file,    k, pattern) {
    for (k = 1; k <= count[c]; k++) {
        if (kinds[c, k] == "flag") continue
        pattern = (c == "-" ? "*" : c) ":" name[c, k]
        if (kinds[c, k] == "choice") printf "    %s) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n", pattern, words(value[c, k]) >file
        else if (kinds[c, k] == "file") printf "    %s) compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", pattern >file
        else if (kinds[c, k] == "directory") printf "    %s) compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", pattern >file
        else printf "    %s) return ;;\n", pattern >file
    }
}
# Options of all commands that have a value, which is no command.
function bash_valued(    k, out) {
    for (k = 1; k <= count["-"]; k++) if (kinds["-", k] != "flag") out = out (out ? "|" : "") name["-", k]
    return out
}
function bash(file,    i, c, all) {
    for (i = 1; i <= n; i++) all = all " " order[i]
    printf "# taco completion for bash, made by packaging/completion.awk\n_taco() {\n" >file
    printf "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i options= verbs=\n" >file
    printf "    for ((i = 1; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in %s) ((i++)) ;; -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n    done\n", bash_valued() >file
    printf "    if [ -z \"$command\" ]; then\n        COMPREPLY=($(compgen -W \"help%s%s --version --help\" -- \"$word\"))\n        return\n    fi\n", all, bash_options("-") >file
    printf "    if [ \"$command\" = help ]; then COMPREPLY=($(compgen -W \"%s%s\" -- \"$word\")); return; fi\n", substr(all, 2), topics >file
    printf "    case $command:$before in\n" >file
    for (i = 1; i <= n; i++) bash_values(order[i], file)
    bash_values("-", file)
    printf "    esac\n    case $command in\n" >file
    for (i = 1; i <= n; i++) printf "    %s) options=\"%s\" verbs=\"%s\" ;;\n", order[i], substr(bash_options(order[i]), 2), substr(verbs[order[i]], 2) >file
    printf "    esac\n    case $word in\n    -*) COMPREPLY=($(compgen -W \"$options%s --help\" -- \"$word\")) ;;\n", bash_options("-") >file
    printf "    *) if [ \"$verbs\" ] && [ \"$before\" = \"$command\" ]; then\n           COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\"))\n       else\n           compopt -o filenames\n           COMPREPLY=($(compgen -f -- \"$word\"))\n       fi ;;\n    esac\n}\ncomplete -F _taco taco\n" >file
}

# ---- zsh ----
function zsh_option(c, k,    what) {
    what = kinds[c, k] == "choice" ? "(" words(value[c, k]) ")" : kinds[c, k] == "file" ? "_files" : kinds[c, k] == "directory" ? "_directories" : " "
    return quoted((again[c, k] ? "*" : "") name[c, k] "[" zsh_text(text[c, k]) "]" (kinds[c, k] == "flag" ? "" : ":" zsh_text(kinds[c, k] == "choice" ? "one of" : value[c, k]) ":" what))
}
function zsh(file,    i, k, c, v, list, m) {
    printf "#compdef taco\n# taco completion for zsh, made by packaging/completion.awk\n_taco() {\n    local context state line curcontext=$curcontext\n    local -a everywhere commands\n" >file
    printf "    everywhere=(" >file
    for (k = 1; k <= count["-"]; k++) printf "\n        %s", zsh_option("-", k) >file
    printf "\n        '--help[what there is]'\n    )\n    commands=(\n        'help:what there is'\n" >file
    for (i = 1; i <= n; i++) printf "        %s\n", quoted(order[i] ":" zsh_text(summary[order[i]])) >file
    printf "    )\n    _arguments -C $everywhere '--version[of the tool]' '1: :->command' '*:: :->rest'\n" >file
    printf "    case $state in\n    command) _describe -t commands 'taco command' commands ;;\n    rest)\n        case $words[1] in\n" >file
    printf "        help) _values topic%s%s ;;\n", zsh_names(), topics >file
    for (i = 1; i <= n; i++) {
        c = order[i]
        printf "        %s) _arguments $everywhere", c >file
        for (k = 1; k <= count[c]; k++) printf " \\\n            %s", zsh_option(c, k) >file
        if (verbs[c]) printf " \\\n            %s", quoted("1:verb:(" substr(verbs[c], 2) ")") >file
        printf " \\\n            '*:file:_files' ;;\n" >file
    }
    printf "        esac ;;\n    esac\n}\n_taco \"$@\"\n" >file
}
function zsh_names(    i, out) {
    for (i = 1; i <= n; i++) out = out " " order[i]
    return out
}

# ---- fish ----
function fish_option(c, k, when,    flag) {
    flag = name[c, k] ~ /^--/ ? "-l " substr(name[c, k], 3) : length(name[c, k]) == 2 ? "-s " substr(name[c, k], 2) : "-o " substr(name[c, k], 2)
    return "complete -c taco" when " " flag (kinds[c, k] == "flag" ? "" : kinds[c, k] == "choice" ? " -x -a " fish_quoted(words(value[c, k])) : kinds[c, k] == "file" || kinds[c, k] == "directory" ? " -r -F" : " -x") " -d " fish_quoted(text[c, k])
}
function fish(file,    i, k, c, v, m, list) {
    printf "# taco completion for fish, made by packaging/completion.awk\n" >file
    for (k = 1; k <= count["-"]; k++) print fish_option("-", k, "") >file
    print "complete -c taco -n __fish_use_subcommand -f -a help -d 'what there is'" >file
    for (i = 1; i <= n; i++) {
        c = order[i]
        print "complete -c taco -n __fish_use_subcommand -f -a " c " -d " fish_quoted(summary[c]) >file
        for (k = 1; k <= count[c]; k++) print fish_option(c, k, " -n '__fish_seen_subcommand_from " c "'") >file
        m = split(substr(verbs[c], 2), list, " ")
        for (v = 1; v <= m; v++) print "complete -c taco -n '__fish_seen_subcommand_from " c "; and not __fish_seen_subcommand_from" verbs[c] "' -f -a " list[v] " -d " fish_quoted(verb_text[c, list[v]]) >file
    }
    print "complete -c taco -n '__fish_seen_subcommand_from help' -f -a " fish_quoted(substr(zsh_names(), 2) topics) >file
}
END {
    bash(dir "/taco.bash")
    zsh(dir "/_taco")
    fish(dir "/taco.fish")
}
