/**
 * What bash needs besides the script of `@bomb.sh/tab`: that one takes the words from the package bash-completion, which
 * many machines do not have, and completes `rating:` to `rating:rating:asc`, since bash takes a colon for a word's end.
 */
export const bashSupplement = `
__roomscribe() {
    local is_ours=
    if ! declare -F _get_comp_words_by_ref > /dev/null; then
        is_ours=1
        _get_comp_words_by_ref() {
            local line="\${COMP_LINE:0:COMP_POINT}"
            read -ra words <<< "$line"
            [[ $line == *[[:space:]] ]] && words+=("")
            cword=$((\${#words[@]} - 1))
            cur="\${words[cword]}"
            prev="\${words[cword - 1]}"
        }
    fi
    __roomscribe_complete
    [[ $is_ours ]] && unset -f _get_comp_words_by_ref
    local typed="\${COMP_LINE:0:COMP_POINT}"
    typed="\${typed##*[[:space:]]}"
    if [[ $typed == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("\${COMPREPLY[@]#"\${typed%:*}:"}")
    fi
}
complete -F __roomscribe roomscribe
`;
