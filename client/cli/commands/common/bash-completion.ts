/**
 * Changes the generated script for bash. The result works without the package bash-completion, can be sourced twice, does
 * not execute typed text, and completes values with a colon, at which bash ends a word.
 */
export function forBash(script: string): string {
  const tame = script
    .replaceAll(/^readonly /gm, '')
    .replace('$(eval "$requestComp" 2>/dev/null)', () => `$(roomscribe complete -- "\${words[@]:1}" 2>/dev/null)`);
  return `${tame}\n${helper}`;
}

// Like the package, this sets the variables `words`, `cword`, `cur` and `prev` of the caller.
const helper = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    local line=\${COMP_LINE:0:COMP_POINT}
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    cword=$((\${#words[@]} - 1))
    cur=\${words[cword]}
    prev=\${words[cword - 1]}
}

__roomscribe_after_colon() {
    __roomscribe_complete "$@"
    local line=\${COMP_LINE:0:COMP_POINT}
    local typed=\${line##*[[:space:]]}
    if [[ $typed == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("\${COMPREPLY[@]#"\${typed%"\${typed##*:}"}"}")
    fi
}
complete -F __roomscribe_after_colon roomscribe
`;
