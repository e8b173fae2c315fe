import { MONTHS, WEEKDAYS } from '../names.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';

const iso = (date: Date) => date.toISOString().slice(0, 10);
const moved = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);
const someDay = ({ dice }: Making) =>
  new Date(Date.UTC(dice.int(1990, 2035), dice.int(0, 11), dice.int(1, 31)));

function weekday(making: Making): Sample {
  const { dice } = making;
  const [from, days, isAfter] = [dice.int(0, 6), dice.int(1, 7), dice.chance(0.6)];
  const name = WEEKDAYS[from];
  const many = days === 1 ? '1 day' : `${days} days`;
  const side = isAfter ? 'after' : 'before';
  const question = wording(making, [
    `What day of the week is ${many} ${side} ${name}?`,
    `Which day comes ${many} ${side} ${name}?`,
    `${many} ${side} ${name} is which day?`,
    `What day is it ${many} ${side} ${name}?`,
  ]);
  return ask(question, WEEKDAYS[(from + (isAfter ? days : 7 - days)) % 7] ?? '');
}

function nextDay(making: Making): Sample {
  const [day, isAfter] = [someDay(making), making.dice.chance(0.6)];
  const side = isAfter ? 'after' : 'before';
  const question = wording(making, [
    `Which date is the day ${side} ${iso(day)}?`,
    `What is the day ${side} ${iso(day)}?`,
    `Give me the date one day ${side} ${iso(day)}.`,
    `Which day comes right ${side} ${iso(day)}?`,
  ]);
  return ask(question, iso(moved(day, isAfter ? 1 : -1)));
}

function month(making: Making): Sample {
  const { dice } = making;
  const index = dice.int(0, 11);
  const name = MONTHS[index] ?? '';
  const days = new Date(Date.UTC(2023, index + 1, 0)).getUTCDate();
  return dice.pick([
    () =>
      ask(
        wording(making, [
          `How many days does ${name} have?`,
          `How many days are in ${name}?`,
          `How long is ${name}?`,
          `Tell me the number of days in ${name}.`,
        ]),
        index === 1 ? '28, and 29 in a leap year' : String(days),
      ),
    () =>
      ask(
        wording(making, [
          `Which month comes after ${name}?`,
          `What is the month after ${name}?`,
          `Which month follows ${name}?`,
        ]),
        MONTHS[(index + 1) % 12] ?? '',
      ),
    () =>
      ask(
        wording(making, [
          `Which month is number ${index + 1}?`,
          `What is month ${index + 1}?`,
          `Name month number ${index + 1}.`,
        ]),
        name,
      ),
    () => {
      const day = someDay(making);
      const text = `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
      return ask(
        wording(making, [
          `Write ${text} as year-month-day.`,
          `Write the date ${text} in ISO format.`,
          `Turn the date ${text} into year-month-day.`,
        ]),
        iso(day),
      );
    },
  ])();
}

export const dateSkills: readonly Skill[] = [
  { name: 'date-weekday', weight: 1.5, make: weekday },
  { name: 'date-next', weight: 1.5, make: nextDay },
  { name: 'date-month', weight: 1.5, make: month },
];
