import { variableName } from '../former-names.ts';
import { RULES } from '../settings.ts';

/** Secrets that are not settings, with the variables that other programs also read. */
const OTHERS = [
  {
    name: 'hub_token',
    variables: ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN'],
    use: 'downloads from the model hub',
  },
  {
    name: 'api_key',
    variables: ['ASKD_API_KEY'],
    use: 'the key that this command line sends to other servers',
  },
] as const;

const isOneToken = (value: unknown) => (typeof value === 'string' && /^\S+$/.test(value) ? value : undefined);

export type SecretName = {
  name: string;
  /** A variable that is set overrides a stored value. */
  variables: readonly string[];
  use: string;
  /** Undefined for a value that cannot be right. */
  parse: (value: unknown) => unknown;
};

/** Every secret of the owner that askd keeps: settings that contain a password, and tokens. */
export const SECRET_NAMES: readonly SecretName[] = [
  ...Object.values(RULES)
    .filter(({ isSecret }) => isSecret)
    .map(({ file, parse }) => ({
      name: file,
      variables: [variableName(file)],
      use: 'a setting of the daemon',
      parse: (value: unknown) => (value === '' ? undefined : parse(value)),
    })),
  ...OTHERS.map((other) => ({ ...other, parse: isOneToken })),
];
