import "./ui/tokens.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient, signedOutListeners } from "./api/query-client.ts";
import { sessionQuery } from "./api/session.ts";
import { router } from "./router.tsx";

// The session is read again, and whoever is not in it any longer is sent to the page that signs in.
signedOutListeners.add(() => {
  queryClient.removeQueries(sessionQuery);
  void router.invalidate();
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
