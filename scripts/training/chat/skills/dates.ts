import { MONTHS, WEEKDAYS } from '../names.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';

const iso = (date: Date) => date.toISOString().slice(0, 10);
const moved = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);
const someDay = ({ dice }: Making) =>
  new Date(Date.UTC(dice.int(1990, 2035), dice.int(0, 11), dice.int(1, 31)));

const WEEKDAY =
  '(what|which) (day|day of the week|weekday) (is|comes|is it|do we have) {many} {side} {name}?|' +
  '{many} {side} {name}(: | is | )(which|what) (day|weekday|day of the week)?|' +
  '(tell me|give me|say|name) the (day|weekday|day of the week) {many} {side} {name}|(if it is {name}, what day is {many} {side} that|today is {name}. what day (is|comes) {many} {side} that)?';

function weekday(making: Making): Sample {
  const { dice } = making;
  const [from, days, isAfter] = [dice.int(0, 6), dice.int(1, 7), dice.chance(0.6)];
  const name = WEEKDAYS[from] ?? '';
  const many = days === 1 ? dice.pick(['1 day', 'one day']) : `${days} days`;
  const question = filled(phrase(making, WEEKDAY), { many, side: isAfter ? 'after' : 'before', name });
  const passed = dice.list(days, (day) => WEEKDAYS[(from + (isAfter ? day + 1 : 13 - day)) % 7] ?? '');
  const steps = passed.map((each, index) => `${index + 1} ${each}`).join(', ');
  return ask(begun(making, question), days === 1 ? (passed[0] ?? '') : `${steps}: ${passed.at(-1)}`);
}

const NEXT =
  '(what|which) (date|day) (is|comes) (the day |one day |right |just |)({side}) {day}?|' +
  '(what is|give me|tell me|say|write) (the day|the date|the date of the day|the date one day) {side} {day}|(the |)day {side} {day}';

function nextDay(making: Making): Sample {
  const [day, isAfter] = [someDay(making), making.dice.chance(0.6)];
  const question = filled(phrase(making, NEXT), { side: isAfter ? 'after' : 'before', day: iso(day) });
  return ask(begun(making, question), iso(moved(day, isAfter ? 1 : -1)));
}

const MONTH_DAYS =
  '(how many days) (does {m} have|are in {m}|are there in {m}|has {m})?|how long is {m}(| in days)?|' +
  '(tell me|give me|say|what is) the (number|count) of days (in|of) {m}|(days in|number of days in|length of) {m}';
const MONTH_AFTER =
  '(which|what) month (comes|follows|is|comes right|comes next) after {m}?|(what is|tell me|name|say) the month (after|that follows|following) {m}|(the |)month (after|following) {m}(|?)';
const MONTH_NUMBER =
  '(which|what) (month is|is the month with the) number {n}?|(what is|name|tell me|say) (month|month number|the month number|month no.) {n}|(month|month number) {n}';
const AS_ISO =
  '(write|give me|put|show|print|turn|convert|change) (the date |){d} (as|into|in|to) (year-month-day|ISO format|ISO|the ISO format|a year-month-day date)|' +
  '(what is|how do I write) (the date |){d} (as year-month-day|in ISO format|in ISO)?';

function month(making: Making): Sample {
  const { dice } = making;
  const index = dice.int(0, 11);
  const name = MONTHS[index] ?? '';
  const said = (grammar: string, places: Record<string, string>) =>
    begun(making, filled(phrase(making, grammar), places));
  const kind = dice.int(0, 3);
  if (kind === 0) {
    const days = new Date(Date.UTC(2023, index + 1, 0)).getUTCDate();
    return ask(said(MONTH_DAYS, { m: name }), index === 1 ? '28, and 29 in a leap year' : String(days));
  }
  if (kind === 1) return ask(said(MONTH_AFTER, { m: name }), MONTHS[(index + 1) % 12] ?? '');
  if (kind === 2) return ask(said(MONTH_NUMBER, { n: String(index + 1) }), name);
  const day = someDay(making);
  const text = `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
  return ask(said(AS_ISO, { d: text }), iso(day));
}

export const dateSkills: readonly Skill[] = [
  { name: 'date-weekday', weight: 1.5, make: weekday },
  { name: 'date-next', weight: 2.5, make: nextDay },
  { name: 'date-month', weight: 1.5, make: month },
];
