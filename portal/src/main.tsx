import { CSPProvider } from '@base-ui/react/csp-provider';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.js';
import { Session } from './session.js';
import { StepUp } from './step-up.js';
import '@fontsource-variable/anek-latin/index.css';
import './styles.css';
import { Toasts } from './toasts.js';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <Session>
        <Toasts>
          <RouterProvider router={router} />
          <StepUp />
        </Toasts>
      </Session>
    </CSPProvider>
  </StrictMode>,
);
