import { graphql } from "../../api/graphql.ts";

export const limitDocument = graphql(`
  query UploadLimit {
    tenant { uploadMaxBytes }
  }
`);

export const keyDocument = graphql(`
  query Key($task: ID!) {
    bulkTask(id: $task) {
      ... on BulkTaskMassOperation { key }
      ... on BasicError { errorName message }
    }
  }
`);

export const uploadDocument = graphql(`
  mutation RequestUpload($filename: String!, $size: Float!) {
    generatePresignedUploadRequest(
      input: {
        type: MASS_OPERATIONS, filename: $filename, contentType: "application/json"
        size: $size, methods: [POST, PUT]
      }
    ) {
      ... on PresignedUploadRequest { method url fields { name value } }
      ... on BasicError { errorName message }
    }
  }
`);

export const createDocument = graphql(`
  mutation CreateTask($input: CreateMassOperationBulkTaskInput!) {
    createMassOperationBulkTask(input: $input) {
      ... on BulkTaskMassOperation { id }
      ... on BasicError { errorName message }
    }
  }
`);
