import { COMPLETE } from '../command.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Every shell asks askd itself, so that a script never knows less than the program. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  // bash splits hf:org into three words and replaces only what follows the colon.
  bash: `_askd() {
  local line="\${COMP_LINE:0:COMP_POINT}" IFS=$' \\t' words current=
  read -ra words <<< "$line"
  case "$line" in *[[:blank:]]) words+=("") ;; esac
  current="\${words[-1]}"
  mapfile -t COMPREPLY < <(askd ${COMPLETE} "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*[:=]}"}"}")
}
complete -o default -F _askd askd
`,
  zsh: `#compdef askd
_askd() {
  local -a found
  found=("\${(@f)$(askd ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -- $found || _files
}
compdef _askd askd
`,
  fish: `function __askd_complete
    set -l words (commandline -opc) (commandline -ct)
    askd ${COMPLETE} $words[2..-1] 2>/dev/null
end
complete -c askd -f -a '(__askd_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName askd -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '""' }
  & askd ${COMPLETE} @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

/** Installs it permanently; the shell's name is appended. */
export const INSTALL = 'askd completion --install';
