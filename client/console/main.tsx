import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import './theme.css';

// The entry point of the console.

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
