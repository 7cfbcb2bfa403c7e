/**
 * The script for bash, so that it works without the package bash-completion, can be read twice, runs nothing of what is
 * typed, and completes values with a colon: bash takes the colon for the end of a word.
 */
export function forBash(script: string): string {
  const tame = script
    .replaceAll(/^readonly /gm, '')
    .replace('$(eval "$requestComp" 2>/dev/null)', () => `$(roomscribe complete -- "\${words[@]:1}" 2>/dev/null)`);
  return `${tame}\n${helper}`;
}

// `words`, `cword`, `cur` and `prev` are the caller's, as in the package.
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
