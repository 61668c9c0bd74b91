// Bundles the scripts of the viewer with three.js, and its styles with those of all pages: viewer.js and style.css, which
// import nothing.
//
//   node bundle.mjs MODULES FOLDER
//
// MODULES is the folder that `npm ci` filled, FOLDER where the two files go.
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url)), shared = join(here, '..', 'cli', 'viewer', 'page');
const [modules, outdir] = process.argv.slice(2);
const {build} = createRequire(join(modules, 'package.json'))('esbuild');

// Scripts that pages share are plain ones, put into each page one after another: here they are one module, 'page', which
// exports all that stands at the start of a line.
const pageScripts = {
  name: 'page',
  setup(builder) {
    builder.onResolve({filter: /^page$/}, () => ({path: 'page', namespace: 'page'}));
    builder.onLoad({filter: /.*/, namespace: 'page'}, () => {
      const files = readdirSync(shared).filter((file) => file.endsWith('.js')).sort().map((file) => join(shared, file));
      const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
      const names = Array.from(text.matchAll(/^(?:const|class|function) (\w+)/gm), ([, name]) => name);
      return {contents: `${text}\nexport {${names.join(', ')}};\n`, watchFiles: files};
    });
  },
};

// Pages that people write carry three.js with them, and so its licence.
const licence = readFileSync(join(modules, 'node_modules', 'three', 'LICENSE'), 'utf8');

await build({
  entryPoints: {viewer: join(here, 'src', 'main.js'), style: join(here, 'style.css')},
  outdir,
  nodePaths: [join(modules, 'node_modules')],
  plugins: [pageScripts],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  banner: {js: `/* three.js, which is part of this script:\n\n${licence}*/`},
  legalComments: 'none',
  logLevel: 'warning',
});
