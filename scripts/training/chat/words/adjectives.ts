import { inAll, rowsOf, type Code, type InAll } from './languages.ts';

/** Masculine, feminine, and many of each. English and German have one form, German the stem of its endings. */
export type Agreeing = readonly [m: string, f: string, ms: string, fs: string];
export type Adjective = { id: string; tag: string; forms: InAll<Agreeing>; stem: string };

/** One form where the rest follows from it; German beside its stem where that is another. */
const TABLES: Readonly<Record<string, string>> = {
  kind: `
    big | groß | grand | grande | grande | grande
    small | klein | petit | pequeño | piccolo | pequeno
    old | alt | vieux vieille vieux vieilles | viejo | vecchio vecchia vecchi vecchie | velho
    new | neu | nouveau nouvelle nouveaux nouvelles | nuevo | nuovo | novo
    beautiful | schön | beau belle beaux belles | bonito | bello | bonito
    expensive | teuer teur | cher chère chers chères | caro | caro | caro
    cheap | billig | bon_marché bon_marché bon_marché bon_marché | barato | economico economica economici economiche | barato
    modern | modern | moderne | moderno | moderno | moderno`,
  colour: `
    red | rot | rouge | rojo | rosso | vermelho
    white | weiß | blanc blanche blancs blanches | blanco | bianco bianca bianchi bianche | branco
    black | schwarz | noir | negro | nero | preto
    green | grün | vert | verde | verde | verde
    blue | blau | bleu | azul azul azules azules | blu blu blu blu | azul azul azuis azuis
    yellow | gelb | jaune | amarillo | giallo gialla gialli gialle | amarelo`,
  animate: `
    big | groß | grand | grande | grande | grande
    small | klein | petit | pequeño | piccolo | pequeno
    old | alt | vieux vieille vieux vieilles | viejo | vecchio vecchia vecchi vecchie | velho`,
  heat: `
    cold | kalt | froid | frío fría fríos frías | freddo | frio fria frios frias
    hot | heiß | chaud | caliente | caldo | quente`,
  clean: `
    clean | sauber | propre | limpio limpia limpios limpias | pulito | limpo
    dirty | schmutzig | sale | sucio sucia sucios sucias | sporco sporca sporchi sporche | sujo`,
  filled: `
    full | voll | plein | lleno | pieno | cheio cheia cheios cheias
    empty | leer | vide | vacío vacía vacíos vacías | vuoto | vazio vazia vazios vazias`,
  open: `
    open | geöffnet | ouvert | abierto | aperto | aberto
    closed | geschlossen | fermé | cerrado | chiuso | fechado`,
  mood: `
    tired | müde | fatigué | cansado | stanco stanca stanchi stanche | cansado
    ill | krank | malade | enfermo | malato | doente
    ready | bereit | prêt | listo | pronto | pronto
    alone | allein | seul | solo | solo | sozinho`,
};

const ENDINGS: Partial<Record<Code, (word: string) => Agreeing>> = {
  fr: (word) => {
    const f = word.endsWith('e') ? word : `${word}e`;
    return [word, f, `${word}s`, `${f}s`];
  },
  es: (word) => byVowel(word, ['o', 'a', 'os', 'as']),
  pt: (word) => byVowel(word, ['o', 'a', 'os', 'as']),
  it: (word) => {
    if (!word.endsWith('e')) return byVowel(word, ['o', 'a', 'i', 'e']);
    const many = `${word.slice(0, -1)}i`;
    return [word, word, many, many];
  },
};

function byVowel(word: string, endings: Agreeing): Agreeing {
  if (!word.endsWith('o')) return [word, word, `${word}s`, `${word}s`];
  const stem = word.slice(0, -1);
  return endings.map((ending) => stem + ending) as unknown as Agreeing;
}

function agreeing(code: Code, cell: string): Agreeing {
  const [first = '', ...rest] = cell.split(' ').map((word) => word.replaceAll('_', ' '));
  if (rest.length === 3) return [first, ...rest] as unknown as Agreeing;
  return ENDINGS[code]?.(first) ?? [first, first, first, first];
}

export const ADJECTIVES: readonly Adjective[] = Object.entries(TABLES).flatMap(([tag, table]) =>
  rowsOf(table).map((row) => {
    const [lemma = '', stem = lemma] = (row[1] ?? '').split(' ');
    const forms = inAll((code, index) => agreeing(code, code === 'de' ? lemma : (row[index] ?? '')));
    return { id: row[0] ?? '', tag, forms, stem };
  }),
);

export const adjectivesOf = (...wanted: readonly string[]) =>
  ADJECTIVES.filter(({ id, tag }) => wanted.includes(tag) || wanted.includes(id));
