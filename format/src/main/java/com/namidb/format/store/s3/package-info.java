/**
 * Objects in an S3 bucket, or in a store that speaks S3's protocol with conditional writes. All
 * types of the AWS SDK stay in here. Source: contract §2, design §7. Entry class: {@link
 * com.namidb.format.store.s3.S3Store}.
 */
package com.namidb.format.store.s3;
