import { inAll, rowsOf, type Code, type InAll } from './languages.ts';

export type Person = '1s' | '3s' | '1p' | '3p' | 'you';
export type Verb = { id: string; tag: string; forms: InAll<Readonly<Record<Person | 'inf', string>>> };

/**
 * English: I, he, we. German: ich, er, wir. French: je, il, nous, vous, ils and the infinitive; the others the same without
 * "vous", which is the third person there. What is bought and what is eaten differ, so each verb has its objects by its tag.
 */
const TABLES: Readonly<Record<string, string>> = {
  trade: `
    am_buying is_buying are_buying buy | kaufe kauft kaufen | achète achète achetons achetez achètent acheter | compro compra compramos compran comprar | compro compra compriamo comprano comprare | compro compra compramos compram comprar
    am_selling is_selling are_selling sell | verkaufe verkauft verkaufen | vends vend vendons vendez vendent vendre | vendo vende vendemos venden vender | vendo vende vendiamo vendono vendere | vendo vende vendemos vendem vender`,
  keep: `
    have has have have | habe hat haben | ai a avons avez ont avoir | tengo tiene tenemos tienen tener | ho ha abbiamo hanno avere | tenho tem temos têm ter
    need needs need need | brauche braucht brauchen | ai_besoin_de a_besoin_de avons_besoin_de avez_besoin_de ont_besoin_de avoir_besoin_de | necesito necesita necesitamos necesitan necesitar | ho_bisogno_di ha_bisogno_di abbiamo_bisogno_di hanno_bisogno_di avere_bisogno_di | preciso_de precisa_de precisamos_de precisam_de precisar_de
    see sees see see | sehe sieht sehen | vois voit voyons voyez voient voir | veo ve vemos ven ver | vedo vede vediamo vedono vedere | vejo vê vemos veem ver
    am_looking_for is_looking_for are_looking_for look_for | suche sucht suchen | cherche cherche cherchons cherchez cherchent chercher | busco busca buscamos buscan buscar | cerco cerca cerchiamo cercano cercare | procuro procura procuramos procuram procurar
    am_drawing is_drawing are_drawing draw | zeichne zeichnet zeichnen | dessine dessine dessinons dessinez dessinent dessiner | dibujo dibuja dibujamos dibujan dibujar | disegno disegna disegniamo disegnano disegnare | desenho desenha desenhamos desenham desenhar`,
  read: `
    am_reading is_reading are_reading read | lese liest lesen | lis lit lisons lisez lisent lire | leo lee leemos leen leer | leggo legge leggiamo leggono leggere | leio lê lemos leem ler`,
  eat: `
    am_eating is_eating are_eating eat | esse isst essen | mange mange mangeons mangez mangent manger | como come comemos comen comer | mangio mangia mangiamo mangiano mangiare | como come comemos comem comer`,
  drink: `
    am_drinking is_drinking are_drinking drink | trinke trinkt trinken | bois boit buvons buvez boivent boire | bebo bebe bebemos beben beber | bevo beve beviamo bevono bere | bebo bebe bebemos bebem beber`,
  live: `
    live lives live live | wohne wohnt wohnen | habite habite habitons habitez habitent habiter | vivo vive vivimos viven vivir | abito abita abitiamo abitano abitare | moro mora moramos moram morar`,
  work: `
    work works work work | arbeite arbeitet arbeiten | travaille travaille travaillons travaillez travaillent travailler | trabajo trabaja trabajamos trabajan trabajar | lavoro lavora lavoriamo lavorano lavorare | trabalho trabalha trabalhamos trabalham trabalhar`,
  walk: `
    am_going is_going are_going go | gehe geht gehen | vais va allons allez vont aller | voy va vamos van ir | vado va andiamo vanno andare | vou vai vamos vão ir`,
  ride: `
    am_going is_going are_going go | fahre fährt fahren | vais va allons allez vont aller | voy va vamos van ir | vado va andiamo vanno andare | vou vai vamos vão ir`,
};

function conjugated(code: Code, cell: string): Readonly<Record<Person | 'inf', string>> {
  const words = cell.split(' ').map((word) => word.replaceAll('_', ' '));
  const at = (index: number) => words[index] ?? '';
  if (code === 'en') return { '1s': at(0), '3s': at(1), '1p': at(2), '3p': at(2), you: at(2), inf: at(3) };
  if (code === 'de') return { '1s': at(0), '3s': at(1), '1p': at(2), '3p': at(2), you: at(2), inf: at(2) };
  if (code === 'fr') return { '1s': at(0), '3s': at(1), '1p': at(2), you: at(3), '3p': at(4), inf: at(5) };
  return { '1s': at(0), '3s': at(1), '1p': at(2), '3p': at(3), you: at(1), inf: at(4) };
}

export const VERBS: readonly Verb[] = Object.entries(TABLES).flatMap(([tag, table]) =>
  rowsOf(table).map((row) => {
    const forms = inAll((code, index) => conjugated(code, row[index] ?? ''));
    return { id: forms.en.inf, tag, forms };
  }),
);

export const verbsOf = (...wanted: readonly string[]) =>
  VERBS.filter(({ id, tag }) => wanted.includes(tag) || wanted.includes(id));
