import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/require-await': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'AbortSignal', property: 'any', message: 'It may lose a deadline: use anySignal().' },
      ],
    },
  },
  { files: ['src/base/any-signal.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    // Matchers such as expect.stringContaining are typed any.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // What runs in a browser.
    files: ['daemon/console/**/*.js', 'examples/agent-page/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'fetch', 'history', 'location', 'TextDecoderStream', 'URLSearchParams'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['**/*.js'],
    ignores: ['daemon/console/**', 'examples/agent-page/**'],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'fetch', 'URL', 'AbortSignal', 'TextDecoderStream'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
);
