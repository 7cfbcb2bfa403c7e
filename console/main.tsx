import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import { loadFormats } from './parts/formats.ts';
import './theme.css';

// The entry point of the console.

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
setTimeout(loadFormats); // in a task of its own, while the first answer is on its way
