import { BOLD, type Style } from './style.ts';

/** Styles of code tokens. Colours only help the eye. */
export const TOKEN: Readonly<Record<'keyword' | 'string' | 'comment' | 'number' | 'name', Style>> = {
  keyword: '35',
  string: '32',
  comment: '90',
  number: '33',
  name: '34',
};

export type Language = {
  keywords: ReadonlySet<string>;
  ignoresCase: boolean;
  /** Line comments. */
  comments: readonly string[];
  /** Comments and strings that may span lines. */
  spans: readonly (readonly [open: string, close: string, style: Style])[];
  quotes: string;
  /** Tried in order, where the last token ended. */
  rules: readonly (readonly [pattern: RegExp, style: Style])[];
};

function language(keywords: string, rest: Partial<Language> = {}): Language {
  const standard = { ignoresCase: false, comments: ['//'], spans: [BLOCK], quotes: `"'`, rules: [] };
  return { ...standard, ...rest, keywords: new Set(keywords.split(' ')) };
}

const BLOCK = ['/*', '*/', TOKEN.comment] as const;
const DOCSTRINGS = [
  ['"""', '"""', TOKEN.string],
  [`'''`, `'''`, TOKEN.string],
] as const;
const C =
  'auto bool break case char const continue default do double else enum extern false float for goto if inline int ' +
  'long nullptr register return short signed sizeof static struct switch true typedef union unsigned void volatile while NULL';
const JAVA =
  'abstract boolean break byte case catch char class const continue default do double else enum extends final finally ' +
  'float for if implements import instanceof int interface long new null package private protected public record ' +
  'return short static super switch this throw throws true false try var void while';
const JAVASCRIPT =
  'abstract any as async await boolean break case catch class const continue debugger declare default delete do else ' +
  'enum export extends false finally for from function if implements import in infer instanceof interface keyof let ' +
  'namespace never new null number object of private protected public readonly return satisfies set static string ' +
  'super switch symbol this throw true try type typeof undefined unknown var void while with yield';

const javascript = language(JAVASCRIPT, { spans: [BLOCK, ['`', '`', TOKEN.string]] });
const python = language(
  'and as assert async await break case class continue def del elif else except False finally for from global if ' +
    'import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  { comments: ['#'], spans: DOCSTRINGS, rules: [[/@[\w.]+/y, TOKEN.name]] },
);
const shell = language(
  'alias case do done elif else esac exit export fi for function if in local read return select set shift source sudo ' +
    'then trap unset until while echo cd',
  { comments: ['#'], spans: [], rules: [[/\$(?:\{[^}]*\}|[\w@#?*!$-]+)/y, TOKEN.name]] },
);
const json = language('true false null', { rules: [[/"(?:[^"\\]|\\.)*"(?=\s*:)/y, TOKEN.name]] });
const yaml = language('true false null yes no on off', {
  comments: ['#'],
  spans: [],
  rules: [[/[\w./-]+(?=:(?:\s|$))/y, TOKEN.name]],
});
const ini = language('true false', {
  comments: ['#', ';'],
  spans: DOCSTRINGS,
  rules: [
    [/^\s*\[.*\]/y, BOLD],
    [/[\w.-]+(?=\s*=)/y, TOKEN.name],
  ],
});
const c = language(C);
const cpp = language(
  `${C} and catch class constexpr consteval decltype delete explicit final friend mutable namespace new noexcept not ` +
    'operator or override private protected public requires static_cast template this throw try typename using virtual',
  { rules: [[/^\s*#\s*\w+/y, TOKEN.keyword]] },
);
const csharp = language(
  `${JAVA} as async await base bool decimal delegate event explicit foreach get in internal is lock namespace object ` +
    'out override params readonly ref sealed set sizeof string struct typeof using value virtual where yield',
);
const kotlin = language(
  `${JAVA} as by companion constructor data fun in init inner internal is object open operator override sealed suspend ` +
    'typealias val vararg when where',
  { spans: [BLOCK, ...DOCSTRINGS.slice(0, 1)] },
);
const go = language(
  'any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if ' +
    'import int int64 interface iota map nil package range return rune select string struct switch true type uint var',
  { spans: [BLOCK, ['`', '`', TOKEN.string]] },
);
const rust = language(
  'as async await bool break const continue crate dyn else enum extern false fn for i32 i64 if impl in let loop match ' +
    'mod move mut pub ref return self Self static str String struct super trait true type u8 u32 u64 unsafe use usize where while',
  {
    quotes: '"',
    rules: [
      [/'(?:[^'\\]|\\.)'/y, TOKEN.string],
      [/#!?\[[^\]]*\]/y, TOKEN.comment],
    ],
  },
);
const swift = language(
  'as associatedtype async await break case catch class continue default defer deinit do else enum extension false ' +
    'fileprivate for func guard if import in init inout internal is lazy let nil open override private protocol public ' +
    'return self Self static struct subscript super switch throw throws true try typealias var weak where while',
  { spans: [BLOCK, ...DOCSTRINGS.slice(0, 1)] },
);
const ruby = language(
  'alias and begin break case class def do else elsif end ensure false for if in module next nil not or private raise ' +
    'require rescue return self super then true undef unless until when while yield',
  { comments: ['#'], spans: [], rules: [[/:\w+|@{1,2}\w+/y, TOKEN.name]] },
);
const php = language(
  `${JAVA} and array as echo elseif endif endforeach foreach fn function global isset list namespace or print require ` +
    'require_once trait unset use',
  { comments: ['//', '#'], rules: [[/\$\w+/y, TOKEN.name]] },
);
const sql = language(
  'add all alter and as asc between by case check column commit constraint count create cross default delete desc ' +
    'distinct drop else end exists foreign from full group having if in index inner insert into is join key left like ' +
    'limit not null offset on or order outer primary references returning right rollback select set table then union ' +
    'unique update using values view when where with',
  { ignoresCase: true, comments: ['--'] },
);
const markup = language('', {
  comments: [],
  spans: [['<!--', '-->', TOKEN.comment]],
  rules: [
    [/<\/?[\w:-]+|\/?>/y, TOKEN.keyword],
    [/[\w:@-]+(?==)/y, TOKEN.name],
  ],
});
const css = language('important', {
  comments: [],
  rules: [
    [/@[\w-]+/y, TOKEN.keyword],
    [/--?[\w-]+(?=\s*:)|[a-z-]+(?=\s*:)/y, TOKEN.name],
  ],
});
const lua = language(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
  { comments: ['--'], spans: [['[[', ']]', TOKEN.string]] },
);
const docker = language(
  'add arg as cmd copy entrypoint env expose from healthcheck label run shell user volume workdir',
  { ignoresCase: true, comments: ['#'], spans: [] },
);
const make = language('define else endef endif export ifdef ifeq ifndef ifneq include', {
  comments: ['#'],
  spans: [],
  rules: [
    [/^[\w./-]+(?=\s*:)/y, TOKEN.name],
    [/\$[({][^)}]*[)}]|\$[@<^*]/y, TOKEN.name],
  ],
});
const diff = language('', {
  comments: [],
  spans: [],
  quotes: '',
  rules: [
    [/^\+.*/y, TOKEN.string],
    [/^-.*/y, '31'],
    [/^@@.*/y, TOKEN.name],
    [/^(?:diff|index) .*/y, BOLD],
  ],
});

/** By the names after a fence. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  (
    [
      ['js javascript jsx mjs cjs ts typescript tsx mts', javascript],
      ['py python python3', python],
      ['sh bash shell zsh console fish', shell],
      ['json jsonc json5 jsonl', json],
      ['yaml yml', yaml],
      ['toml ini cfg conf properties env', ini],
      ['c h', c],
      ['cpp c++ cc hpp cxx objc cuda', cpp],
      ['cs csharp c#', csharp],
      ['java scala dart groovy', language(JAVA)],
      ['kotlin kt kts', kotlin],
      ['go golang', go],
      ['rust rs', rust],
      ['swift', swift],
      ['ruby rb', ruby],
      ['php', php],
      ['sql sqlite postgresql mysql', sql],
      ['html xml svg vue svelte', markup],
      ['css scss less', css],
      ['lua', lua],
      ['dockerfile docker', docker],
      ['make makefile', make],
      ['diff patch', diff],
    ] as const
  ).flatMap(([names, found]) => names.split(' ').map((name): [string, Language] => [name, found])),
);
