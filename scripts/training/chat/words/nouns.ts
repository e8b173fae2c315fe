import { inAll, rowsOf, type InAll } from './languages.ts';

export type Gender = 'm' | 'f' | 'n';
export type Inflected = {
  one: string;
  many: string;
  gender: Gender;
  /** Feminine, with the masculine article: "el agua fría". */
  hasElFeminine: boolean;
};
export type Noun = { id: string; tag: string; forms: InAll<Inflected> };

/** One, many and gender. What is not counted has a dash for many. */
const TABLES: Readonly<Record<string, string>> = {
  thing: `
    letter letters | Brief Briefe m | lettre lettres f | carta cartas f | lettera lettere f | carta cartas f
    book books | Buch Bücher n | livre livres m | libro libros m | libro libri m | livro livros m
    newspaper newspapers | Zeitung Zeitungen f | journal journaux m | periódico periódicos m | giornale giornali m | jornal jornais m
    key keys | Schlüssel Schlüssel m | clé clés f | llave llaves f | chiave chiavi f | chave chaves f
    hat hats | Hut Hüte m | chapeau chapeaux m | sombrero sombreros m | cappello cappelli m | chapéu chapéus m
    coat coats | Mantel Mäntel m | manteau manteaux m | abrigo abrigos m | cappotto cappotti m | casaco casacos m
    shirt shirts | Hemd Hemden n | chemise chemises f | camisa camisas f | camicia camicie f | camisa camisas f
    dress dresses | Kleid Kleider n | robe robes f | vestido vestidos m | vestito vestiti m | vestido vestidos m
    shoe shoes | Schuh Schuhe m | chaussure chaussures f | zapato zapatos m | scarpa scarpe f | sapato sapatos m
    knife knives | Messer Messer n | couteau couteaux m | cuchillo cuchillos m | coltello coltelli m | faca facas f
    spoon spoons | Löffel Löffel m | cuillère cuillères f | cuchara cucharas f | cucchiaio cucchiai m | colher colheres f
    ticket tickets | Fahrkarte Fahrkarten f | billet billets m | billete billetes m | biglietto biglietti m | bilhete bilhetes m
    map maps | Karte Karten f | carte cartes f | mapa mapas m | mappa mappe f | mapa mapas m
    umbrella umbrellas | Regenschirm Regenschirme m | parapluie parapluies m | paraguas paraguas m | ombrello ombrelli m | guarda-chuva guarda-chuvas m
    phone phones | Telefon Telefone n | téléphone téléphones m | teléfono teléfonos m | telefono telefoni m | telefone telefones m
    computer computers | Computer Computer m | ordinateur ordinateurs m | ordenador ordenadores m | computer computer m | computador computadores m
    bicycle bicycles | Fahrrad Fahrräder n | vélo vélos m | bicicleta bicicletas f | bicicletta biciclette f | bicicleta bicicletas f
    car cars | Auto Autos n | voiture voitures f | coche coches m | macchina macchine f | carro carros m
    picture pictures | Bild Bilder n | tableau tableaux m | cuadro cuadros m | quadro quadri m | quadro quadros m
    ring rings | Ring Ringe m | bague bagues f | anillo anillos m | anello anelli m | anel anéis m
    watch watches | Uhr Uhren f | montre montres f | reloj relojes m | orologio orologi m | relógio relógios m
    pen pens | Kugelschreiber Kugelschreiber m | stylo stylos m | bolígrafo bolígrafos m | penna penne f | caneta canetas f
    flower flowers | Blume Blumen f | fleur fleurs f | flor flores f | fiore fiori m | flor flores f
    gift gifts | Geschenk Geschenke n | cadeau cadeaux m | regalo regalos m | regalo regali m | presente presentes m
    table tables | Tisch Tische m | table tables f | mesa mesas f | tavolo tavoli m | mesa mesas f
    chair chairs | Stuhl Stühle m | chaise chaises f | silla sillas f | sedia sedie f | cadeira cadeiras f
    bed beds | Bett Betten n | lit lits m | cama camas f | letto letti m | cama camas f
    lamp lamps | Lampe Lampen f | lampe lampes f | lámpara lámparas f | lampada lampade f | candeeiro candeeiros m
    mirror mirrors | Spiegel Spiegel m | miroir miroirs m | espejo espejos m | specchio specchi m | espelho espelhos m`,
  vessel: `
    glass glasses | Glas Gläser n | verre verres m | vaso vasos m | bicchiere bicchieri m | copo copos m
    bottle bottles | Flasche Flaschen f | bouteille bouteilles f | botella botellas f | bottiglia bottiglie f | garrafa garrafas f
    cup cups | Tasse Tassen f | tasse tasses f | taza tazas f | tazza tazze f | chávena chávenas f
    plate plates | Teller Teller m | assiette assiettes f | plato platos m | piatto piatti m | prato pratos m
    bag bags | Tasche Taschen f | sac sacs m | bolso bolsos m | borsa borse f | bolsa bolsas f
    suitcase suitcases | Koffer Koffer m | valise valises f | maleta maletas f | valigia valigie f | mala malas f
    box boxes | Kiste Kisten f | boîte boîtes f | caja cajas f | scatola scatole f | caixa caixas f`,
  opening: `
    door doors | Tür Türen f | porte portes f | puerta puertas f | porta porte f | porta portas f
    window windows | Fenster Fenster n | fenêtre fenêtres f | ventana ventanas f | finestra finestre f | janela janelas f`,
  fruit: `
    apple apples | Apfel Äpfel m | pomme pommes f | manzana manzanas f | mela mele f | maçã maçãs f
    orange oranges | Orange Orangen f | orange oranges f | naranja naranjas f | arancia arance f | laranja laranjas f
    lemon lemons | Zitrone Zitronen f | citron citrons m | limón limones m | limone limoni m | limão limões m
    banana bananas | Banane Bananen f | banane bananes f | plátano plátanos m | banana banane f | banana bananas f
    tomato tomatoes | Tomate Tomaten f | tomate tomates f | tomate tomates m | pomodoro pomodori m | tomate tomates m
    onion onions | Zwiebel Zwiebeln f | oignon oignons m | cebolla cebollas f | cipolla cipolle f | cebola cebolas f
    cake cakes | Kuchen Kuchen m | gâteau gâteaux m | pastel pasteles m | torta torte f | bolo bolos m`,
  food: `
    bread - | Brot - n | pain - m | pan - m | pane - m | pão - m
    cheese - | Käse - m | fromage - m | queso - m | formaggio - m | queijo - m
    meat - | Fleisch - n | viande - f | carne - f | carne - f | carne - f
    rice - | Reis - m | riz - m | arroz - m | riso - m | arroz - m
    soup - | Suppe - f | soupe - f | sopa - f | zuppa - f | sopa - f
    butter - | Butter - f | beurre - m | mantequilla - f | burro - m | manteiga - f
    sugar - | Zucker - m | sucre - m | azúcar - m | zucchero - m | açúcar - m
    chocolate - | Schokolade - f | chocolat - m | chocolate - m | cioccolato - m | chocolate - m`,
  drink: `
    water - | Wasser - n | eau - f | agua - F | acqua - f | água - f
    milk - | Milch - f | lait - m | leche - f | latte - m | leite - m
    wine - | Wein - m | vin - m | vino - m | vino - m | vinho - m`,
  order: `
    coffee - | Kaffee - m | café - m | café - m | caffè - m | café - m
    tea - | Tee - m | thé - m | té - m | tè - m | chá - m
    beer - | Bier - n | bière - f | cerveza - f | birra - f | cerveja - f`,
  animal: `
    dog dogs | Hund Hunde m | chien chiens m | perro perros m | cane cani m | cão cães m
    cat cats | Katze Katzen f | chat chats m | gato gatos m | gatto gatti m | gato gatos m
    horse horses | Pferd Pferde n | cheval chevaux m | caballo caballos m | cavallo cavalli m | cavalo cavalos m
    bird birds | Vogel Vögel m | oiseau oiseaux m | pájaro pájaros m | uccello uccelli m | pássaro pássaros m
    cow cows | Kuh Kühe f | vache vaches f | vaca vacas f | mucca mucche f | vaca vacas f
    mouse mice | Maus Mäuse f | souris souris f | ratón ratones m | topo topi m | rato ratos m`,
  place: `
    house houses | Haus Häuser n | maison maisons f | casa casas f | casa case f | casa casas f
    garden gardens | Garten Gärten m | jardin jardins m | jardín jardines m | giardino giardini m | jardim jardins m
    bridge bridges | Brücke Brücken f | pont ponts m | puente puentes m | ponte ponti m | ponte pontes f
    street streets | Straße Straßen f | rue rues f | calle calles f | strada strade f | rua ruas f
    village villages | Dorf Dörfer n | village villages m | pueblo pueblos m | villaggio villaggi m | aldeia aldeias f`,
  goal: `
    station stations | Bahnhof Bahnhöfe m | gare gares f | estación estaciones f | stazione stazioni f | estação estações f
    airport airports | Flughafen Flughäfen m | aéroport aéroports m | aeropuerto aeropuertos m | aeroporto aeroporti m | aeroporto aeroportos m
    church churches | Kirche Kirchen f | église églises f | iglesia iglesias f | chiesa chiese f | igreja igrejas f
    park parks | Park Parks m | parc parcs m | parque parques m | parco parchi m | parque parques m
    beach beaches | Strand Strände m | plage plages f | playa playas f | spiaggia spiagge f | praia praias f
    market markets | Markt Märkte m | marché marchés m | mercado mercados m | mercato mercati m | mercado mercados m`,
  office: `
    hotel hotels | Hotel Hotels n | hôtel hôtels m | hotel hoteles m | hotel hotel m | hotel hotéis m
    museum museums | Museum Museen n | musée musées m | museo museos m | museo musei m | museu museus m
    school schools | Schule Schulen f | école écoles f | escuela escuelas f | scuola scuole f | escola escolas f
    bank banks | Bank Banken f | banque banques f | banco bancos m | banca banche f | banco bancos m
    restaurant restaurants | Restaurant Restaurants n | restaurant restaurants m | restaurante restaurantes m | ristorante ristoranti m | restaurante restaurantes m
    library libraries | Bibliothek Bibliotheken f | bibliothèque bibliothèques f | biblioteca bibliotecas f | biblioteca biblioteche f | biblioteca bibliotecas f
    hospital hospitals | Krankenhaus Krankenhäuser n | hôpital hôpitaux m | hospital hospitales m | ospedale ospedali m | hospital hospitais m
    pharmacy pharmacies | Apotheke Apotheken f | pharmacie pharmacies f | farmacia farmacias f | farmacia farmacie f | farmácia farmácias f
    shop shops | Geschäft Geschäfte n | magasin magasins m | tienda tiendas f | negozio negozi m | loja lojas f
    theatre theatres | Theater Theater n | théâtre théâtres m | teatro teatros m | teatro teatri m | teatro teatros m`,
  person: `
    man men | Mann Männer m | homme hommes m | hombre hombres m | uomo uomini m | homem homens m
    woman women | Frau Frauen f | femme femmes f | mujer mujeres f | donna donne f | mulher mulheres f
    boy boys | Junge Jungen m | garçon garçons m | chico chicos m | ragazzo ragazzi m | rapaz rapazes m
    child children | Kind Kinder n | enfant enfants m | niño niños m | bambino bambini m | criança crianças f
    doctor doctors | Arzt Ärzte m | médecin médecins m | médico médicos m | medico medici m | médico médicos m
    teacher teachers | Lehrer Lehrer m | professeur professeurs m | profesor profesores m | insegnante insegnanti m | professor professores m
    neighbour neighbours | Nachbar Nachbarn m | voisin voisins m | vecino vecinos m | vicino vicini m | vizinho vizinhos m`,
  family: `
    father - | Vater - m | père - m | padre - m | padre - m | pai - m
    mother - | Mutter - f | mère - f | madre - f | madre - f | mãe - f
    brother - | Bruder - m | frère - m | hermano - m | fratello - m | irmão - m
    sister - | Schwester - f | sœur - f | hermana - f | sorella - f | irmã - f
    uncle - | Onkel - m | oncle - m | tío - m | zio - m | tio - m
    aunt - | Tante - f | tante - f | tía - f | zia - f | tia - f`,
};

function inflected(cell: string): Inflected {
  const [one = '', many = '', gender = 'n'] = cell.split(' ');
  return {
    one,
    many: many === '-' ? '' : many,
    gender: gender.toLowerCase() as Gender,
    hasElFeminine: gender === 'F',
  };
}

export const NOUNS: readonly Noun[] = Object.entries(TABLES).flatMap(([tag, table]) =>
  rowsOf(table).map((row) => {
    const forms = inAll((_, index) => inflected(row[index] ?? ''));
    return { id: forms.en.one, tag, forms };
  }),
);

/** Those of some tags, or of the words named. */
export function nounsOf(...wanted: readonly string[]): Noun[] {
  return NOUNS.filter(({ id, tag }) => wanted.includes(tag) || wanted.includes(id));
}
