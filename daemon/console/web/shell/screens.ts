export const SCREENS: readonly { path: string; name: string }[] = [
  { path: '/', name: 'Overview' },
  { path: '/playground', name: 'Playground' },
  { path: '/keys', name: 'API keys' },
  { path: '/usage', name: 'Usage' },
  { path: '/wallet', name: 'Wallet' },
  { path: '/sessions', name: 'Sessions' },
];
