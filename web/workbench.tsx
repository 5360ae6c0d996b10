import { render } from 'preact';
import { App } from './shell/app.js';
import './workbench.css';

const root = document.getElementById('root');
if (root !== null) render(<App />, root);
