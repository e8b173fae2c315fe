/** Earlier names of settings, which keep working. */
const FORMER: Readonly<Record<string, string>> = { ollama_door: 'ollama_api' };

export const currentName = (name: string): string => FORMER[name] ?? name;

export const variableName = (setting: string): string => `ASKD_${setting.toUpperCase()}`;

export function withCurrentNames(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(file).map(([name, value]) => [currentName(name), value]));
}

export function withCurrentVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const renamed = Object.entries(FORMER)
    .map(([former, current]) => [variableName(current), env[variableName(former)]] as const)
    .filter(([variable, value]) => value !== undefined && env[variable] === undefined);
  return renamed.length === 0 ? env : { ...env, ...Object.fromEntries(renamed) };
}
