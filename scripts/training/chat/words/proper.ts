import { formsOf, rowsOf, type InAll } from './languages.ts';

const asForms = (table: string): InAll<string>[] => rowsOf(table).map(formsOf);

export const CITIES = asForms(`
  London | London | Londres | Londres | Londra | Londres
  Paris | Paris | Paris | París | Parigi | Paris
  Rome | Rom | Rome | Roma | Roma | Roma
  Lisbon | Lissabon | Lisbonne | Lisboa | Lisbona | Lisboa
  Vienna | Wien | Vienne | Viena | Vienna | Viena
  Berlin | Berlin | Berlin | Berlín | Berlino | Berlim
  Venice | Venedig | Venise | Venecia | Venezia | Veneza
  Milan | Mailand | Milan | Milán | Milano | Milão
  Geneva | Genf | Genève | Ginebra | Ginevra | Genebra
  Madrid | Madrid | Madrid | Madrid | Madrid | Madrid`);

/** In it, by the preposition that it takes. */
export const COUNTRIES = asForms(`
  in Germany | in Deutschland | en Allemagne | en Alemania | in Germania | na Alemanha
  in France | in Frankreich | en France | en Francia | in Francia | em França
  in Spain | in Spanien | en Espagne | en España | in Spagna | em Espanha
  in Italy | in Italien | en Italie | en Italia | in Italia | em Itália
  in Portugal | in Portugal | au Portugal | en Portugal | in Portogallo | em Portugal`);

export const DAYS = asForms(`
  Monday | Montag | lundi | lunes | lunedì | segunda-feira
  Tuesday | Dienstag | mardi | martes | martedì | terça-feira
  Wednesday | Mittwoch | mercredi | miércoles | mercoledì | quarta-feira
  Thursday | Donnerstag | jeudi | jueves | giovedì | quinta-feira
  Friday | Freitag | vendredi | viernes | venerdì | sexta-feira
  Saturday | Samstag | samedi | sábado | sabato | sábado
  Sunday | Sonntag | dimanche | domingo | domenica | domingo`);

/** On each of them. */
export const WEEKLY = asForms(`
  on Mondays | montags | le lundi | los lunes | il lunedì | às segundas-feiras
  on Tuesdays | dienstags | le mardi | los martes | il martedì | às terças-feiras
  on Wednesdays | mittwochs | le mercredi | los miércoles | il mercoledì | às quartas-feiras
  on Thursdays | donnerstags | le jeudi | los jueves | il giovedì | às quintas-feiras
  on Fridays | freitags | le vendredi | los viernes | il venerdì | às sextas-feiras
  on Saturdays | samstags | le samedi | los sábados | il sabato | aos sábados
  on Sundays | sonntags | le dimanche | los domingos | la domenica | aos domingos`);

/** On the next of them. */
export const ON_DAY = asForms(`
  on Monday | am Montag | lundi | el lunes | lunedì | na segunda-feira
  on Tuesday | am Dienstag | mardi | el martes | martedì | na terça-feira
  on Wednesday | am Mittwoch | mercredi | el miércoles | mercoledì | na quarta-feira
  on Thursday | am Donnerstag | jeudi | el jueves | giovedì | na quinta-feira
  on Friday | am Freitag | vendredi | el viernes | venerdì | na sexta-feira
  on Saturday | am Samstag | samedi | el sábado | sabato | no sábado
  on Sunday | am Sonntag | dimanche | el domingo | domenica | no domingo`);

/** With the dative in German. */
export const BESIDE = asForms(`
  next to | neben | à côté de | al lado de | accanto a | ao lado de
  behind | hinter | derrière | detrás de | dietro | atrás de
  in front of | vor | devant | delante de | davanti a | à frente de`);
export const ON = asForms(`
  on | auf | sur | sobre | su | em cima de
  under | unter | sous | debajo de | sotto | debaixo de`);
export const IN = asForms(`
  in | in | dans | en | in | em`);
