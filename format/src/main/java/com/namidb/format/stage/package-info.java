/**
 * What a job writes before anything is visible: sorted rows become candidate SSTs at their final
 * place, reports add up to a staged job with a state of its own (protocol §1, §2). Entry class:
 * {@link com.namidb.format.stage.StagedJob}.
 */
package com.namidb.format.stage;
