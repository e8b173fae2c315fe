/** Paths of 24 by 24, drawn with a stroke. */
const PATHS = {
  overview: 'M4 20v-7 M10 20V4 M16 20v-9 M22 20H2',
  playground: 'M4 5h16v11H9l-5 4z M8 9h8 M8 12.5h5',
  agent: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14z M16 16l5 5 M8 11h6 M11 8v6',
  batches: 'M4 6h10 M4 11h10 M4 16h6 M14 17l2.5 2.5L21 14',
  models: 'M12 3l8 4.5v9L12 21l-8-4.5v-9z M4 7.5l8 4.5l8-4.5 M12 12v9',
  keys: 'M8 9a5 5 0 1 0 0 10a5 5 0 1 0 0-10z M11.5 10.5L20 2 M17 5l3 3',
  usage: 'M3 3v18h18 M7 15l4-5l4 3l5-7',
  wallet: 'M4 6h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h11 M16 13h.01',
  members:
    'M9 4a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z M2.5 20a6.5 6.5 0 0 1 13 0 M16 4.5a3.5 3.5 0 0 1 0 6.5 M18 14a6.5 6.5 0 0 1 3.5 6',
  webhooks: 'M4 12h10 M10 7l5 5l-5 5 M19 4v16',
  logs: 'M4 6h16 M4 11h16 M4 16h10',
  settings:
    'M4 7h9 M17 7h3 M15 5a2 2 0 1 0 0 4a2 2 0 1 0 0-4z M4 17h3 M11 17h9 M9 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4z',
  sessions: 'M4 5h16v11H4z M9 20h6 M12 16v4',
  audit: 'M6 3h9l4 4v14H6z M9 11h7 M9 15h4 M15 3v4h4',
  system: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M12 3v18 M12 7h6 M12 11h8.5 M12 15h7.5',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8z M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.5 1.5 M17.5 17.5L19 19 M5 19l1.5-1.5 M17.5 6.5L19 5',
  dark: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the text beside it says the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
