import { adjectivesOf } from './adjectives.ts';
import { formsOf, inAll, rowsOf, type InAll } from './languages.ts';
import { NOUNS } from './nouns.ts';

/** What is said as a whole. "#" is a number. */
export const PHRASES: readonly InAll<string>[] = rowsOf(`
  Hello. | Hallo. | Salut. | Hola. | Ciao. | Olá.
  Good morning. | Guten Morgen. | Bonjour. | Buenos días. | Buongiorno. | Bom dia.
  Good evening. | Guten Abend. | Bonsoir. | Buenas noches. | Buonasera. | Boa noite.
  Thank you very much. | Vielen Dank. | Merci beaucoup. | Muchas gracias. | Grazie mille. | Muito obrigado.
  You are welcome. | Gern geschehen. | De rien. | De nada. | Prego. | De nada.
  Please. | Bitte. | S'il vous plaît. | Por favor. | Per favore. | Por favor.
  Yes. | Ja. | Oui. | Sí. | Sì. | Sim.
  No. | Nein. | Non. | No. | No. | Não.
  Goodbye. | Auf Wiedersehen. | Au revoir. | Adiós. | Arrivederci. | Adeus.
  See you tomorrow. | Bis morgen. | À demain. | Hasta mañana. | A domani. | Até amanhã.
  Excuse me. | Entschuldigung. | Excusez-moi. | Disculpe. | Mi scusi. | Com licença.
  I am sorry. | Es tut mir leid. | Je suis désolé. | Lo siento. | Mi dispiace. | Sinto muito.
  I do not know. | Ich weiß es nicht. | Je ne sais pas. | No lo sé. | Non lo so. | Não sei.
  I do not understand. | Ich verstehe nicht. | Je ne comprends pas. | No entiendo. | Non capisco. | Não entendo.
  I am hungry. | Ich habe Hunger. | J'ai faim. | Tengo hambre. | Ho fame. | Tenho fome.
  I am thirsty. | Ich habe Durst. | J'ai soif. | Tengo sed. | Ho sete. | Tenho sede.
  I am cold. | Mir ist kalt. | J'ai froid. | Tengo frío. | Ho freddo. | Tenho frio.
  I am tired. | Ich bin müde. | Je suis fatigué. | Estoy cansado. | Sono stanco. | Estou cansado.
  I am well. | Es geht mir gut. | Je vais bien. | Estoy bien. | Sto bene. | Estou bem.
  I love you. | Ich liebe dich. | Je t'aime. | Te quiero. | Ti amo. | Amo-te.
  I need help. | Ich brauche Hilfe. | J'ai besoin d'aide. | Necesito ayuda. | Ho bisogno di aiuto. | Preciso de ajuda.
  I have a question. | Ich habe eine Frage. | J'ai une question. | Tengo una pregunta. | Ho una domanda. | Tenho uma pergunta.
  Help! | Hilfe! | Au secours ! | ¡Socorro! | Aiuto! | Socorro!
  Good luck! | Viel Glück! | Bonne chance ! | ¡Buena suerte! | Buona fortuna! | Boa sorte!
  Have a good trip! | Gute Reise! | Bon voyage ! | ¡Buen viaje! | Buon viaggio! | Boa viagem!
  Happy birthday! | Alles Gute zum Geburtstag! | Joyeux anniversaire ! | ¡Feliz cumpleaños! | Buon compleanno! | Feliz aniversário!
  Enjoy your meal! | Guten Appetit! | Bon appétit ! | ¡Buen provecho! | Buon appetito! | Bom apetite!
  How are you? | Wie geht es Ihnen? | Comment allez-vous ? | ¿Cómo está usted? | Come sta? | Como está?
  What is your name? | Wie heißen Sie? | Comment vous appelez-vous ? | ¿Cómo se llama? | Come si chiama? | Como se chama?
  Do you speak English? | Sprechen Sie Englisch? | Parlez-vous anglais ? | ¿Habla inglés? | Parla inglese? | Fala inglês?
  How much does it cost? | Wie viel kostet es? | Combien ça coûte ? | ¿Cuánto cuesta? | Quanto costa? | Quanto custa?
  What time is it? | Wie spät ist es? | Quelle heure est-il ? | ¿Qué hora es? | Che ore sono? | Que horas são?
  Can you help me? | Können Sie mir helfen? | Pouvez-vous m'aider ? | ¿Puede ayudarme? | Può aiutarmi? | Pode ajudar-me?
  Where are the toilets? | Wo sind die Toiletten? | Où sont les toilettes ? | ¿Dónde están los servicios? | Dove sono i bagni? | Onde ficam as casas de banho?
  The bill, please. | Die Rechnung, bitte. | L'addition, s'il vous plaît. | La cuenta, por favor. | Il conto, per favore. | A conta, por favor.
  The weather is nice. | Das Wetter ist schön. | Il fait beau. | Hace buen tiempo. | Fa bel tempo. | O tempo está bom.
  It is raining. | Es regnet. | Il pleut. | Está lloviendo. | Piove. | Está a chover.
  It is late. | Es ist spät. | Il est tard. | Es tarde. | È tardi. | É tarde.
  It costs # euros. | Es kostet # Euro. | Cela coûte # euros. | Cuesta # euros. | Costa # euro. | Custa # euros.
  I am # years old. | Ich bin # Jahre alt. | J'ai # ans. | Tengo # años. | Ho # anni. | Tenho # anos.
  The room has # windows. | Das Zimmer hat # Fenster. | La chambre a # fenêtres. | La habitación tiene # ventanas. | La stanza ha # finestre. | O quarto tem # janelas.
  Wait # minutes. | Warten Sie # Minuten. | Attendez # minutes. | Espere # minutos. | Aspetti # minuti. | Espere # minutos.
`).map(formsOf);

const ALONE = rowsOf(`
  sun | Sonne | soleil | sol | sole | sol
  moon | Mond | lune | luna | luna | lua
  tree | Baum | arbre | árbol | albero | árvore
  friend | Freund | ami | amigo | amico | amigo
  day | Tag | jour | día | giorno | dia
  night | Nacht | nuit | noche | notte | noite
  city | Stadt | ville | ciudad | città | cidade
  one | eins | un | uno | uno | um
  two | zwei | deux | dos | due | dois
  three | drei | trois | tres | tre | três
  four | vier | quatre | cuatro | quattro | quatro
  five | fünf | cinq | cinco | cinque | cinco
  six | sechs | six | seis | sei | seis
  seven | sieben | sept | siete | sette | sete
  eight | acht | huit | ocho | otto | oito
  nine | neun | neuf | nueve | nove | nove
  ten | zehn | dix | diez | dieci | dez
  today | heute | aujourd'hui | hoy | oggi | hoje
  tomorrow | morgen | demain | mañana | domani | amanhã
`).map(formsOf);

/** Words that stand alone. */
export const WORDS: readonly InAll<string>[] = [
  ...ALONE,
  ...NOUNS.map(({ forms }) => inAll((code) => forms[code].one)),
  ...adjectivesOf('kind', 'colour', 'heat', 'clean', 'filled', 'open', 'mood').map(({ forms }) =>
    inAll((code) => forms[code][0]),
  ),
];
