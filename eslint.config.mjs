import tseslint from 'typescript-eslint';
import { importX } from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

const rooms = [
  'contract',
  'text',
  'platform',
  'project',
  'privacy',
  'capture',
  'store',
  'recall',
  'memory',
  'pipeline',
  'service',
];
const apps = ['ide', 'hook', 'mcp', 'cli'];

const zones = rooms.map((room, index) => ({
  target: `./src/${room}`,
  from: [...rooms.slice(index + 1), ...apps].map((higher) => `./src/${higher}`),
  message: 'Data flows one way: a room imports only from the rooms below it (docs/rooms.md).',
}));

const vscodeOnlyInIde = {
  paths: [{ name: 'vscode', message: 'vscode is imported only in src/ide and src/extension.ts.' }],
};

export default tseslint.config(
  { ignores: ['dist', 'out', '.cache', 'node_modules', 'media', 'test/fixtures', 'eval/fixtures'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.mts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': 'error',
      'no-restricted-imports': ['error', vscodeOnlyInIde],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/ide/**/*.ts', 'src/extension.ts', 'test/host/suite/**/*.ts', 'test/fixtures/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['src/cli/**', 'eval/**', 'scripts/**', 'test/**'],
    rules: { 'no-console': 'off' },
  },
  { files: ['*.config.mts', '*.config.mjs'], rules: { 'import-x/no-default-export': 'off' } },
);
