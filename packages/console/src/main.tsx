import "./ui/tokens.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { forgetPerson } from "./api/person.ts";
import { queryClient } from "./api/query-client.ts";
import { signedOutListeners } from "./api/request.ts";
import { sessionQuery, signOuts } from "./api/session.ts";
import { router } from "./router.tsx";

// The session is read again; anyone no longer in it is sent to the sign-in page.
signedOutListeners.add(() => {
  queryClient.removeQueries(sessionQuery);
  void router.invalidate();
});

// A tab that waits for a sign-in has no frame, but may keep a draft.
signOuts.addEventListener("message", () => {
  queryClient.clear();
  sessionStorage.clear();
  // This tab may have read the session after the other one had forgotten the person.
  forgetPerson();
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
